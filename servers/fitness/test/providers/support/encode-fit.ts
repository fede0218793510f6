/** A sample of a FIT file. */
export interface FitSample {
  /** Unix time in seconds. */
  readonly time: number;
  readonly distance_m: number;
  readonly heart_rate: number;
  readonly power_w: number;
  readonly cadence_rpm: number;
  readonly latitude: number;
  readonly longitude: number;
}

export interface FitSession {
  /** Number of the sport: 1 running, 2 cycling. */
  readonly sport: number;
  readonly timer_s: number;
  readonly calories: number;
  readonly ascent_m: number;
  readonly samples: readonly FitSample[];
}

/** Number of the field, size in bytes, base type. */
type Field = readonly [number, 1 | 2 | 4, number];

/** Seconds from 1970 to the epoch of FIT, 1989-12-31. */
const EPOCH = 631_065_600;
const SEMICIRCLES = 2 ** 31 / 180;
const [ENUM, UINT8, UINT16, UINT32, SINT32] = [0x00, 0x02, 0x84, 0x86, 0x85];

const FILE_ID = {
  local: 0,
  global: 0,
  fields: [
    [0, 1, ENUM],
    [4, 4, UINT32],
  ] as const satisfies readonly Field[],
};
const RECORD = {
  local: 1,
  global: 20,
  fields: [
    [253, 4, UINT32],
    [0, 4, SINT32],
    [1, 4, SINT32],
    [3, 1, UINT8],
    [4, 1, UINT8],
    [5, 4, UINT32],
    [7, 2, UINT16],
  ] as const satisfies readonly Field[],
};
const SESSION = {
  local: 2,
  global: 18,
  fields: [
    [253, 4, UINT32],
    [2, 4, UINT32],
    [5, 1, ENUM],
    [7, 4, UINT32],
    [8, 4, UINT32],
    [11, 2, UINT16],
    [22, 2, UINT16],
  ] as const satisfies readonly Field[],
};

interface Message {
  readonly local: number;
  readonly global: number;
  readonly fields: readonly Field[];
}

/** A FIT activity with sessions and records, by the public description of the format. */
export function encodeFit(sessions: readonly FitSession[]): Buffer {
  const start = (sessions[0]?.samples[0]?.time ?? EPOCH) - EPOCH;
  const parts = [define(FILE_ID), encode(FILE_ID, [4, start]), define(RECORD), define(SESSION)];
  for (const { sport, timer_s, calories, ascent_m, samples } of sessions) {
    for (const sample of samples) parts.push(encode(RECORD, recordValues(sample)));
    const first = (samples[0]?.time ?? EPOCH) - EPOCH;
    const last = (samples.at(-1)?.time ?? EPOCH) - EPOCH;
    parts.push(
      encode(SESSION, [last, first, sport, (last - first) * 1000, timer_s * 1000, calories, ascent_m]),
    );
  }
  return toFitFile(Buffer.concat(parts));
}

/** A file with samples that have no fields: each is a single byte. */
export function encodeEmptyRecords(count: number): Buffer {
  return toFitFile(Buffer.concat([define({ ...RECORD, fields: [] }), Buffer.alloc(count, RECORD.local)]));
}

function toFitFile(data: Buffer): Buffer {
  const header = Buffer.from([14, 0x20, 0x54, 0x08, 0, 0, 0, 0, 0x2e, 0x46, 0x49, 0x54, 0, 0]);
  header.writeUInt32LE(data.length, 4);
  header.writeUInt16LE(checksum(header.subarray(0, 12)), 12);
  const file = Buffer.concat([header, data, Buffer.alloc(2)]);
  file.writeUInt16LE(checksum(file.subarray(0, -2)), file.length - 2);
  return file;
}

function recordValues(sample: FitSample): readonly number[] {
  return [
    sample.time - EPOCH,
    Math.round(sample.latitude * SEMICIRCLES),
    Math.round(sample.longitude * SEMICIRCLES),
    sample.heart_rate,
    sample.cadence_rpm,
    Math.round(sample.distance_m * 100),
    sample.power_w,
  ];
}

function define({ local, global, fields }: Message): Buffer {
  const head = Buffer.from([0x40 | local, 0, 0, 0, 0, fields.length]);
  head.writeUInt16LE(global, 3);
  return Buffer.concat([head, ...fields.map((field) => Buffer.from(field))]);
}

function encode({ local, fields }: Message, values: readonly number[]): Buffer {
  const parts = fields.map(([, size, type], index) => {
    const part = Buffer.alloc(size);
    const value = values[index] ?? 0;
    if (type === SINT32) part.writeInt32LE(value);
    else part.writeUIntLE(value, 0, size);
    return part;
  });
  return Buffer.concat([Buffer.from([local]), ...parts]);
}

/** CRC-16/ARC. */
function checksum(data: Buffer): number {
  let crc = 0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}
