/** Returns the parts as one buffer: a single part itself, without copying it. */
export function joinBuffers(parts: readonly Buffer[]): Buffer {
  const [first] = parts
  return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts)
}
