export function formatList(linkTo: (file: string) => string | undefined): string;
export function formatPackageList(): string;
export function formatFull(): string;
