import type { components } from './api.types.ts'

type Stack = Pick<components['schemas']['Stack'], 'status' | 'services'>

/** What the UI says of a stack: its status, or that all of it runs but is not well. */
export type StackWord = Stack['status'] | 'unhealthy'

/** Returns how many services of a stack run. An unhealthy one runs, too. */
export const servicesUp = ({ running, unhealthy }: Stack['services']): number => running + unhealthy

/** Returns how many services of a stack run, of those that should: "2/3". */
export const servicesText = (services: Stack['services']): string =>
  `${servicesUp(services)}/${services.total}`

/** Returns the word for the state of a stack. */
export function stackWord({ status, services }: Stack): StackWord {
  const isAllUp = services.unhealthy > 0 && servicesUp(services) === services.total
  return status === 'partial' && isAllUp ? 'unhealthy' : status
}
