import { wrongUsage } from '../failure.ts'

/** A service and the number of containers that it gets. */
export interface Scale {
  service: string
  replicas: number
}

const replicasMax = 1000

/** Reads `<service>=<number>`. Throws wrong usage for anything else. */
export function scaleOf(text: string): Scale {
  const [, service, number] = /^(.+)=(\d{1,4})$/.exec(text) ?? []
  const replicas = Number(number)
  if (service !== undefined && replicas <= replicasMax) return { service, replicas }
  const form = `<service>=<number>, such as web=3, with at most ${replicasMax}`
  throw wrongUsage(`${JSON.stringify(text)}: must be ${form}`)
}
