/** Returns a percentage with two decimals; null if either value is unknown. */
export function percentOf(part: number | null, whole: number | null): number | null {
  if (part === null || whole === null || whole <= 0) return null
  return Math.round((part / whole) * 10_000) / 100
}
