import type { Io } from '../io.ts'
import { painter, type Style } from './paint.ts'
import { clean } from './text.ts'

/** The colours of services. Red is left out, because it means a failure elsewhere. */
const styles: Style[] = [
  ...(['cyan', 'yellow', 'green', 'magenta', 'blue'] as const),
  ...(['cyanBright', 'yellowBright', 'greenBright', 'magentaBright', 'blueBright'] as const),
]

/**
 * The prefix of each line in a merged log: the service, and part of the id if it has several
 * containers.
 */
export interface LogPrefixes {
  /** Registers a container before its first line, so that the columns are right from the start. */
  register(containerId: string, service: string): void
  of(containerId: string, service: string): string
}

/** Returns prefixes of equal width, coloured by service on a terminal. */
export function logPrefixes({ stdout, env }: Pick<Io, 'stdout' | 'env'>): LogPrefixes {
  const containers = new Map<string, string>()
  const services: string[] = []
  const paint = painter(stdout, env)
  let width = 0
  const nameOf = (id: string, service: string) => {
    const ids = [...containers].filter(([, one]) => one === service)
    return clean(ids.length > 1 ? `${service} ${id.slice(0, 6)}` : service)
  }
  const prefixes: LogPrefixes = {
    register(id, service) {
      if (containers.has(id)) return
      containers.set(id, service)
      if (!services.includes(service)) services.push(service)
      width = Math.max(...[...containers].map(([one, its]) => nameOf(one, its).length))
    },
    of(id, service) {
      prefixes.register(id, service)
      const style = styles[services.indexOf(service) % styles.length] ?? 'bold'
      return paint(style, `${nameOf(id, service).padEnd(width)} | `)
    },
  }
  return prefixes
}
