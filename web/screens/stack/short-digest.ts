/** Returns the usual twelve digits of a digest or an id of an image. */
export const shortDigest = (digest: string): string => digest.replace('sha256:', '').slice(0, 12)
