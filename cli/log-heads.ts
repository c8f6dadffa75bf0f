import type { Io } from './io.ts'
import { painter, type Style } from './print.ts'
import { clean } from './text.ts'

const styles: Style[] = ['cyan', 'yellow', 'green', 'red', 'bold']

/** What stands before each line of a merged log: the service, and a part of the id where a service has several containers. */
export interface LogHeads {
  /** Tells of a container before its first line, so that the columns are right from the beginning. */
  know(containerId: string, service: string): void
  of(containerId: string, service: string): string
}

/** Heads in columns, coloured by service on a terminal. */
export function logHeads({ stdout, env }: Pick<Io, 'stdout' | 'env'>): LogHeads {
  const containers = new Map<string, string>()
  const services: string[] = []
  const paint = painter(stdout, env)
  let width = 0
  const nameOf = (id: string, service: string) => {
    const ids = [...containers].filter(([, one]) => one === service)
    return clean(ids.length > 1 ? `${service} ${id.slice(0, 6)}` : service)
  }
  const heads: LogHeads = {
    know(id, service) {
      if (containers.has(id)) return
      containers.set(id, service)
      if (!services.includes(service)) services.push(service)
      width = Math.max(...[...containers].map(([one, its]) => nameOf(one, its).length))
    },
    of(id, service) {
      heads.know(id, service)
      const style = styles[services.indexOf(service) % styles.length] ?? 'bold'
      return paint(style, `${nameOf(id, service).padEnd(width)} | `)
    },
  }
  return heads
}
