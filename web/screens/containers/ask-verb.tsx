import type { Container, ContainerDetails } from '../../data/containers.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { t } from '../../text/text.ts'
import type { Verb, VerbActions } from './container-verbs.ts'

/** A list has no mounts; then nothing is said of volumes by name. */
type Asked = Container & Partial<Pick<ContainerDetails, 'mounts'>>

interface AskProps {
  verb: Verb
  container: Asked
  actions: VerbActions
  onClose: () => void
  /** Called after it was removed. */
  onRemoved?: () => void
}

/** Asks before what ends processes or removes a container. */
export function AskVerb({ verb, container, actions, onClose, onRemoved }: AskProps) {
  const words = t.container
  const action = actions[verb]
  const run = async () => {
    const result = await action.run(container)
    onClose()
    if (verb === 'remove' && result !== undefined) onRemoved?.()
  }
  const isDanger = verb === 'remove' || verb === 'kill'
  return (
    <Confirm
      title={words.ask(words[verb], container.name)}
      action={words.verb(words[verb], container.name)}
      kind={isDanger ? 'danger' : 'primary'}
      lost={lossOf(verb, container)}
      stays={verb === 'remove' ? keptOf(container) : words.keepsContainer}
      busy={action.pending.value && busyWord(verb)}
      onConfirm={() => void run()}
      onClose={onClose}
    >
      {verb === 'remove' && container.stack !== null && <p>{words.comesBack(container.stack)}</p>}
    </Confirm>
  )
}

function lossOf(verb: Verb, { state }: Asked): string {
  const words = t.container
  if (verb === 'stop') return words.stopLost
  if (verb === 'restart') return words.restartLost
  if (verb === 'kill') return words.killLost
  return state === 'running' ? `${words.removeLost} ${words.removeRunning}` : words.removeLost
}

function keptOf({ mounts }: Asked): string {
  if (!mounts) return t.container.keepsVolumesUnnamed
  const volumes = mounts.filter(({ type }) => type === 'volume').map(({ source }) => source)
  return volumes.length > 0 ? t.container.keepsVolumes(volumes.join(', ')) : t.container.keepsImage
}

export const busyWord = (verb: Verb): string =>
  ({
    start: t.container.starting,
    stop: t.container.stopping,
    restart: t.container.restarting,
    kill: t.container.killing,
    remove: t.container.removing,
  })[verb]
