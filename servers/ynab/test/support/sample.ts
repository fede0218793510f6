/** Ids of the sample data of `TOKEN` on `TODAY`. They are the same in every run. */
export const HOUSEHOLD = '029bbc7b-3b6e-474d-8992-c9e82e12a8b4';
export const TOKYO = '55ed4cf3-9ac2-48c5-b26d-5c159a3a4511';

export const CHECKING = 'c05d2aa1-aa39-4c3f-ac6a-1ccd7cbfb372';
export const VISA = '50d0641b-b45b-4398-b216-cb6c4d40bcfc';
export const TOKYO_CHECKING = '2a5617bf-516a-4a94-98a3-fa94b4647b80';

export const GROCERIES = '98fe7e43-7574-44ce-bca3-fc223023c091';
export const DINING_OUT = 'ab90abaa-05d2-4a3b-b4b0-9b68b8c9e419';
export const HOUSEHOLD_GOODS = '09c7ea5c-f244-4cc5-afc3-c5a6a0b300a6';

/** The payee "Office Canteen". */
export const CANTEEN = 'd03a4954-3865-40de-b1d9-8cab1ecc7497';

/** The uncategorized transaction of $20.93 at House and Hearth. */
export const UNCATEGORIZED = 'e6c7d11f-a37c-41d8-a09a-4554d5d4df88';

/** The split of $103.06 at Online Bazaar. */
export const SPLIT = '2d482398-4115-476f-8f31-d6af9532ae43';

/** The scheduled transaction of the rent, and one with two parts. */
export const RENT = 'e2c429f1-4679-4c3c-a3ef-be52ddf7ba37';
export const BUNDLE = '0a3470ef-6877-43e6-b1ae-2e6ceb3c2f43';
