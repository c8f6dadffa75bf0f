import type { Port } from '../../../functions/compose/snapshot.ts'
import type { EngineBody } from '../../../functions/compose/step.ts'

type Binding = { HostIp?: string; HostPort?: string }

/** Returns the ports that a running container publishes, each on one port of the host. */
export function publishedPorts(body: EngineBody): Port[] {
  const { PortBindings = {} } = (body.HostConfig ?? {}) as {
    PortBindings?: Record<string, Binding[]>
  }
  return Object.entries(PortBindings).flatMap(([key, bindings]) => {
    const [inside, protocol = 'tcp'] = key.split('/')
    return bindings.map(({ HostIp, HostPort }) => ({
      private: Number(inside),
      public: Number(HostPort),
      protocol,
      ip: HostIp || '0.0.0.0',
    }))
  })
}
