/** Where a service is dialled. */
export interface EndpointAddress {
  host: string
  port: number
}

/**
 * The addresses of an endpoint as agents are given it: `host:port`, `[v6]:port` or a host alone (port 8443), several with
 * commas between. Throws for anything else, by name.
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
  if (!host || port < 1 || port > 65_535) throw new Error(`${text}: host:port is expected`)
  return { host, port }
}

/** An address as people write it. */
export const addressText = ({ host, port }: EndpointAddress) =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
