import { label } from '../../compose/create/labels.ts'

/** What names a container in a history. */
export interface SeriesName {
  name: string
  stack: string | null
  service: string | null
  /** Its number in the service; null if it has none. */
  number: number | null
}

/** The key of the host itself. No container has it. */
export const hostKey = ''

/**
 * Returns the key of a container's history: the same one after it was recreated. Neither names of
 * containers nor those of stacks have a slash.
 */
export const seriesKey = ({ name, stack, service, number }: SeriesName): string =>
  stack === null || service === null || number === null ? name : `${stack}/${service}/${number}`

/** Returns the number of a container in its service; null without a valid label. */
export function containerNumber(labels: Readonly<Record<string, string>>): number | null {
  const text = labels[label.number] ?? ''
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null
}
