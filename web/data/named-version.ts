/** An image of that name would need a tag. */
const isVersion = (text: string) => /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(text)

/** Returns how a request names a new version of the service: by a version, an image or nothing. */
export function namedVersion(target: string): { image?: string; version?: string } {
  if (target === '') return {}
  return isVersion(target) ? { version: target } : { image: target }
}
