import {
  CirclePlay,
  CircleStop,
  OctagonX,
  RotateCw,
  ScrollText,
  SquareTerminal,
  Trash2,
} from 'lucide'
import { type Action, act } from '../../data/act.ts'
import {
  type Container,
  type ContainerRef,
  type ContainerVerb,
  operate,
  removeContainer,
} from '../../data/containers.ts'
import { can } from '../../data/session.ts'
import type { MenuItem } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'
import { isFixed, type Owned } from './is-fixed.ts'

export type Verb = ContainerVerb | 'remove'

/** The fields that determine the possible verbs. */
export type Operated = ContainerRef & Owned & Pick<Container, 'name' | 'state'>

/** Runs a verb on a container. */
export type VerbActions = Record<Verb, Action<readonly [Operated], unknown>>

/** Returns the actions, one of each. */
export function verbActions(): VerbActions {
  const { container: words } = t
  const verb = (name: ContainerVerb, ended: (name: string) => string, failed: string) => {
    let last = ''
    return act(
      (container: Operated) => {
        last = container.name
        return operate(name, container)
      },
      { ended: () => ended(last), failed },
    )
  }
  let removed = ''
  return {
    start: verb('start', words.started, words.notStarted),
    stop: verb('stop', words.stopped, words.notStopped),
    restart: verb('restart', words.restarted, words.notRestarted),
    kill: verb('kill', words.killed, words.notKilled),
    remove: act(
      async (container: Operated) => {
        removed = container.name
        await removeContainer(container)
        return true
      },
      { ended: () => words.removed(removed), failed: words.notRemoved },
    ),
  }
}

export const verbIcons = {
  start: CirclePlay,
  stop: CircleStop,
  restart: RotateCw,
  kill: OctagonX,
  remove: Trash2,
} as const

/** Returns whether a container can be stopped, and not started. */
export const isUp = ({ state }: Pick<Container, 'state'>): boolean =>
  ['running', 'paused', 'restarting'].includes(state)

/** Returns whether the reader may open a terminal in a container. None of the service lets any. */
export const mayEnter = ({ owner }: Pick<Container, 'owner'>): boolean =>
  owner !== 'installation' && can('containers:exec')

/** Returns the verbs that make sense in the state of a container, and that the reader may use. */
export function verbsFor(container: Owned & Pick<Container, 'state'>): Verb[] {
  if (isFixed(container)) return []
  const operates = can('containers:operate')
  const runs = isUp(container)
  const verbs: (Verb | false)[] = [
    operates && !runs && 'start',
    operates && runs && 'restart',
    operates && runs && 'stop',
    operates && runs && 'kill',
    can('containers:delete') && 'remove',
  ]
  return verbs.filter((verb) => verb !== false)
}

export const addressOf = ({ id, host_id }: Record<keyof ContainerRef, string>, tab = ''): string =>
  `/containers/${encodeURIComponent(host_id)}/${encodeURIComponent(id)}${tab && `/${tab}`}`

/** Returns the menu of a container in a list. */
export function rowItems(container: Operated, ask: (verb: Verb) => void): MenuItem[] {
  const links = [
    { label: t.container.logs, icon: ScrollText, href: addressOf(container, 'logs') },
    ...(mayEnter(container) && container.state === 'running'
      ? [
          {
            label: t.container.terminal,
            icon: SquareTerminal,
            href: addressOf(container, 'terminal'),
          },
        ]
      : []),
  ]
  return [...links, ...verbItems(container, verbsFor(container), ask)]
}

/** Returns menu items for verbs. */
export const verbItems = (
  { name }: Operated,
  verbs: readonly Verb[],
  ask: (verb: Verb) => void,
): MenuItem[] =>
  verbs.map((verb) => ({
    label: t.container.verb(t.container[verb], name),
    icon: verbIcons[verb],
    kind: verb === 'remove' || verb === 'kill' ? 'danger' : 'plain',
    run: () => ask(verb),
  }))
