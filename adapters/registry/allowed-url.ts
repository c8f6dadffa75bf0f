import { isPublicName } from '../../functions/compose/reference/public-name.ts'

/**
 * Returns the URL that a registry names in a header, if it may be followed: one of the same origin,
 * or one by HTTPS whose host is the same or has a public DNS name. The address is checked again
 * when it is dialed.
 *
 * The operator of the registry controls these headers. The caller chose the origin of the registry
 * itself. Token services and upload stores may have another origin, by HTTPS with a public name.
 * Any other URL would let a registry send requests inside the network of the service.
 */
export function allowedUrl(text: string | undefined, origin: URL): URL | undefined {
  if (text === undefined || !URL.canParse(text, origin.href)) return undefined
  const url = new URL(text, origin)
  if (url.username !== '' || url.password !== '') return undefined
  if (url.origin === origin.origin) return url
  const isKnown = url.hostname === origin.hostname || isPublicName(url.hostname)
  return url.protocol === 'https:' && isKnown ? url : undefined
}
