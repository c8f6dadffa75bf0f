import type { Container } from '../../data/containers.ts'
import { stateOf } from './state-word.ts'

export interface ContainerFilter {
  text: string
  /** `running`, `stopped`, `trouble`, or any other word for all. */
  state: string
  /** The name of a host, or nothing for all. */
  host: string
}

/** Returns whether a container passes the filter. Every word must be in one of its names. */
export function isShown(container: Container, { text, state, host }: ContainerFilter): boolean {
  if (host && container.host_name !== host) return false
  if (state && !isInState(container, state)) return false
  if (text === '') return true
  const { name, image, stack, service, host_name, id } = container
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const searched = [name, image, stack, service, host_name].join(' ').toLowerCase()
  return words.every((word) => searched.includes(word) || id.startsWith(word))
}

function isInState(container: Container, state: string): boolean {
  if (state === 'running') return container.state === 'running'
  if (state === 'stopped') return container.state !== 'running'
  if (state === 'trouble') return ['attention', 'failed'].includes(stateOf(container))
  return true
}
