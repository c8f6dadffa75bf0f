import { createServer } from 'node:net'
import { engineGet, type Json, ofProject } from './engine.ts'

/**
 * Returns why bringing a project up could harm what already exists here, or undefined if it cannot.
 */
export async function obstacle(model: Json): Promise<string | undefined> {
  const found = await engineGet<Json[]>(`/containers/json?all=true&${ofProject(model.name)}`)
  if (found?.length) return `a project ${model.name} already exists`
  const services: Json[] = Object.values(model.services ?? {})
  for (const { container_name: name } of services) {
    if (name && (await engineGet(`/containers/${name}/json`)))
      return `a container ${name} already exists`
  }
  for (const kind of ['networks', 'volumes']) {
    for (const { name, external } of Object.values<Json>(model[kind] ?? {})) {
      // Everything created here is removed afterwards, so existing objects must not be reused.
      if (!external && (await engineGet(`/${kind}/${encodeURIComponent(name)}`)))
        return `${kind.slice(0, -1)} ${name} already exists`
    }
  }
  return takenPort(services)
}

async function takenPort(services: Json[]): Promise<string | undefined> {
  for (const { ports = [] } of services) {
    for (const { published = '', protocol, host_ip } of ports) {
      if (!/^\d+$/.test(published) || protocol === 'udp') continue
      if (await isTaken(Number(published), host_ip)) return `port ${published} is taken`
    }
  }
  return undefined
}

function isTaken(port: number, host: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)))
  })
}
