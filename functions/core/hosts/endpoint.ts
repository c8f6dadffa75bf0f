/** The address of a service. */
export interface EndpointAddress {
  host: string
  port: number
}

/**
 * Parses an endpoint as agents receive it: `host:port`, `[v6]:port` or only a host (port 8443),
 * several separated by commas.
 *
 * @throws `Error` that names the first part that is none of these
 */
export function endpointAddresses(endpoint: string): EndpointAddress[] {
  return endpoint.split(',').map(addressOf)
}

const form =
  /^(?:\[(?=[^\]]*:)([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?))(?::(\d{1,5}))?$/i

function addressOf(text: string): EndpointAddress {
  const match = form.exec(text.trim())
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3] ?? 8443)
  if (!host || port < 1 || port > 65_535) throw new Error(`${text}: expected host:port`)
  return { host, port }
}

/** Returns an address in the form that users write. */
export const addressText = ({ host, port }: EndpointAddress) =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
