import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { type Action, act } from '../../data/act.ts'
import { forEachConcurrently } from '../../data/concurrently.ts'
import { type Container, operate, removeContainer } from '../../data/containers.ts'
import { can } from '../../data/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import type { MenuItem } from '../../parts/menu.tsx'
import { t } from '../../text/text.ts'
import { busyWord } from './ask-verb.tsx'
import { isUp, type Verb, verbIcons } from './container-verbs.ts'
import { isFixed } from './is-fixed.ts'

/** What can be done to several containers at once. */
export type SharedVerb = Exclude<Verb, 'kill'>

const verbs: readonly SharedVerb[] = ['start', 'restart', 'stop', 'remove']

/** Whether the reader may do anything to containers. */
export const mayChangeContainers = (): boolean =>
  can('containers:operate') || can('containers:delete')

/**
 * Returns the containers that a verb changes: only those that run can be stopped, and none of the
 * service.
 */
export const changedBy = (verb: SharedVerb, containers: readonly Container[]) =>
  containers.filter(
    (container) =>
      !isFixed(container) && (verb === 'remove' || isUp(container) === (verb !== 'start')),
  )

type Several = readonly Container[]

/**
 * Returns the verbs for the chosen containers, as entries of a menu, and the dialog that asks once
 * for all of them.
 *
 * @param onDone called after a verb has ended, whether or not each container did it
 */
export function useContainerVerbs(onDone: () => void) {
  const asked = useSignal<{ verb: SharedVerb; containers: Several } | undefined>(undefined)
  const actions = useMemo(actionsByVerb, [])
  const close = () => {
    asked.value = undefined
  }
  const run = async (verb: SharedVerb, containers: Several) => {
    await actions[verb].run(containers)
    close()
    onDone()
  }
  const itemsFor = (chosen: Several): MenuItem[] =>
    verbs
      .filter((verb) => can(verb === 'remove' ? 'containers:delete' : 'containers:operate'))
      .map((verb) => {
        const containers = changedBy(verb, chosen)
        return {
          label: t.container.verb(
            t.container[verb],
            t.containers.count(containers.length || chosen.length),
          ),
          icon: verbIcons[verb],
          kind: verb === 'remove' ? 'danger' : 'plain',
          blocked: containers.length === 0 ? whyNone(verb, chosen) : undefined,
          run: () => {
            if (verb === 'start') void run(verb, containers)
            else asked.value = { verb, containers }
          },
        }
      })
  const dialog = asked.value && (
    <AskSeveral
      {...asked.value}
      action={actions[asked.value.verb]}
      onConfirm={run}
      onClose={close}
    />
  )
  return { itemsFor, dialog }
}

const whyNone = (verb: SharedVerb, chosen: Several): string =>
  chosen.length > 0 && chosen.every(isFixed) ? t.container.ofService : t.containers.none[verb]

const work: Readonly<Record<SharedVerb, (container: Container) => Promise<unknown>>> = {
  start: (container) => operate('start', container),
  restart: (container) => operate('restart', container),
  stop: (container) => operate('stop', container),
  remove: removeContainer,
}

const actionsByVerb = () =>
  Object.fromEntries(
    verbs.map((verb) => [
      verb,
      act(
        async (containers: Several) => {
          await forEachConcurrently(containers, ({ name }) => name, work[verb])
          return containers.length
        },
        {
          ended: (count) => t.containers.ended[verb](t.containers.count(count)),
          failed: t.containers.notAll[verb],
        },
      ),
    ]),
  ) as Record<SharedVerb, Action<[Several], number>>

interface AskSeveralProps {
  verb: SharedVerb
  containers: Several
  action: Action<[Several], number>
  onConfirm: (verb: SharedVerb, containers: Several) => Promise<void>
  onClose: () => void
}

function AskSeveral({ verb, containers, action, onConfirm, onClose }: AskSeveralProps) {
  const words = t.container
  const what = t.containers.count(containers.length)
  const running = containers.filter(isUp).map(({ name }) => name)
  const stacks = [...new Set(containers.flatMap(({ stack }) => stack ?? []))]
  const isRemoval = verb === 'remove'
  return (
    <Confirm
      title={words.ask(words[verb], what)}
      action={words.verb(words[verb], what)}
      kind={isRemoval ? 'danger' : 'primary'}
      lost={
        isRemoval && running.length > 0
          ? `${t.containers.lost.remove} ${t.containers.lostRunning(running.join(', '))}`
          : t.containers.lost[verb]
      }
      stays={isRemoval ? t.containers.staysVolumes : t.containers.stays}
      busy={action.pending.value && busyWord(verb)}
      onConfirm={() => void onConfirm(verb, containers)}
      onClose={onClose}
    >
      <p>{containers.map(({ name }) => name).join(', ')}</p>
      {isRemoval && stacks.length > 0 && <p>{t.containers.comeBack(stacks.join(', '))}</p>}
    </Confirm>
  )
}
