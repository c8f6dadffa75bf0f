import type { CustomFetch } from 'openid-client'

/** More than any description, key set or answer of a provider. Bytes. */
const largest = 1024 * 1024

/** True for an address of this machine over plain HTTP. */
export const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

/**
 * A fetch that asks over HTTPS only, or, `local`, of this machine; that follows no redirect and reads no more than a
 * mebibyte. Rejects otherwise.
 */
export function guardedFetch(local: boolean): CustomFetch {
  return async (address, options) => {
    const url = new URL(address)
    if (url.protocol !== 'https:' && !(local && isLocal(url))) {
      throw new Error(`the provider leads to ${url.protocol}//${url.hostname}`)
    }
    const response = await fetch(url, { ...(options as RequestInit), redirect: 'manual' })
    const { status, statusText, headers } = response
    const body = await readBody(response)
    return new Response([204, 205, 304].includes(status) ? null : body, {
      status: status >= 200 ? status : 502,
      statusText,
      headers,
    })
  }
}

async function readBody({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > largest) throw new Error('the answer of the provider is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
