/** Returns the names of the secrets that a part of a file refers to, each once. */
export function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return []
  if (isReference(value)) return [value.from]
  return [...new Set(Object.values(value).flatMap(secretsIn))]
}

/** Returns whether a part of a file stands for a secret. */
export const isReference = (value: object): value is { from: string } =>
  'from' in value && typeof value.from === 'string' && Object.keys(value).length === 1
