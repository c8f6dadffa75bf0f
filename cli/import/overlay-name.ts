/**
 * Returns the name of the overlay that a further compose file becomes.
 *
 * @param index its position after the first compose file, from 0
 */
export function overlayName(path: string, index: number): string {
  const [, named] = /^(?:docker-)?compose\.([a-z0-9][a-z0-9_-]{0,62})\.ya?ml$/.exec(path) ?? []
  return named ?? `file-${index + 2}`
}
