import { type ClientRequest, Agent as HttpAgent } from 'node:http'
import type { Socket } from 'node:net'
import {
  type Destination,
  type OutboundProxies,
  proxyFor,
} from '../../functions/core/net/outbound-proxies.ts'
import { openToProxy, openTunnel, proxyCredentials } from './proxy-tunnel.ts'

/** Returns the authority of a destination, such as `example.org:443` or `[fd00::1]:9000`. */
const authorityOf = ({ host, port }: { host: string; port: number }) =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Returns a tunnel for HTTPS, or for HTTP a connection to the proxy itself. */
export const openThroughProxy = (proxy: URL, to: Destination): Promise<Socket> =>
  to.isTls ? openTunnel(proxy, authorityOf(to)) : openToProxy(proxy)

/** An agent of Node.js. It calls `addRequest` for each request, before the head is written. */
interface RequestAgent {
  addRequest(request: ClientRequest, options: { host: string; port: number | string }): void
}

/** Returns an agent that names the whole URL in requests which go to a proxy, as proxies expect. */
export function forwardingAgent(proxies: OutboundProxies): HttpAgent {
  const agent = new HttpAgent({ keepAlive: false })
  const add = (agent as unknown as RequestAgent).addRequest.bind(agent)
  const addRequest: RequestAgent['addRequest'] = (request, options) => {
    const to = { isTls: false, host: options.host, port: Number(options.port) }
    const proxy = options.host ? proxyFor(proxies, to) : undefined
    if (proxy) {
      request.path = `http://${authorityOf(to)}${request.path}`
      for (const [name, value] of Object.entries(proxyCredentials(proxy))) {
        request.setHeader(name, value)
      }
    }
    add(request, options)
  }
  return Object.assign(agent, { addRequest })
}
