import { useRef } from 'preact/hooks'
import { type Readable, useReadable } from '../../data/use-readable.ts'
import type { Trouble } from './merge-troubles.ts'
import { containersToRead, troublesOf } from './troubles.ts'

/** What is wrong now, as far as it is known. */
export interface Troubles {
  troubles: readonly Trouble[]
  /** A part that could not be read. */
  failed: Readable<unknown> | undefined
  /** All parts were read once, or could not be. */
  isSettled: boolean
}

/** Reads what is wrong now, on all hosts. */
export function useTroubles(): Troubles {
  const alerts = useReadable('alerts:read', '/alerts')
  const stacks = useReadable('stacks:read', '/stacks')
  const hosts = useReadable('hosts:read', '/hosts')
  const known = { alerts: alerts.value, stacks: stacks.value }
  const containers = useReadable('containers:read', '/containers', containersToRead(known))
  const read = [alerts, stacks, hosts, containers]
  // An alert that comes or ends reads other containers. Until they are there the page stays as is.
  const isSettled = useRef(false)
  isSettled.current ||= read.every((one) => one.isSettled)
  return {
    troubles: troublesOf({
      alerts: alerts.value,
      stacks: stacks.value,
      hosts: hosts.value,
      containers: containers.value && rowsOf(containers.value),
    }),
    failed: read.find(({ value, problem }) => problem && value === undefined),
    isSettled: isSettled.current,
  }
}

const rowsOf = <T>(value: readonly T[] | { items: readonly T[] }): readonly T[] =>
  'items' in value ? value.items : value
