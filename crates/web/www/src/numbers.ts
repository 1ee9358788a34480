// Numbers for people: 3 to 6 significant digits, with units and correct plurals.

export function number(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const rounded = Number(value.toPrecision(6));
  return Math.abs(rounded) >= 1e7 || (rounded !== 0 && Math.abs(rounded) < 1e-4)
    ? value.toExponential(3)
    : String(rounded);
}

export function seconds(value: number | null): string {
  return value === null ? "unknown" : `${number(value)} s`;
}

export function fileSize(bytes: number): string {
  if (bytes < 1024) return count(bytes, "byte");
  const [divisor, unit] = bytes < 1024 * 1024 ? [1024, "KiB"] : [1024 * 1024, "MiB"];
  return `${Number((bytes / divisor).toPrecision(3))} ${unit}`;
}

export function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${amount.toLocaleString("en-US")} ${amount === 1 ? noun : plural}`;
}
