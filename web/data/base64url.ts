/** Returns bytes in base64url, without padding. */
export function toBase64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Returns the bytes of a text in base64url. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}
