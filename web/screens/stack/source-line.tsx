import { useSignal } from '@preact/signals'
import { Download, Pencil, RefreshCw, Unlink } from 'lucide'
import { ErrorBoundary as Loading } from 'preact-iso/lazy'
import { useResource } from '../../data/cache.ts'
import { can } from '../../data/session.ts'
import {
  type FollowedSource,
  stopFollowing,
  syncStack,
  useFollowedSource,
} from '../../data/stack-source.ts'
import { useAct } from '../../data/use-act.ts'
import { useOverlay } from '../../frame/address.ts'
import { lazy } from '../../frame/lazy.ts'
import { Notices } from '../../frame/notices.tsx'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Link } from '../../parts/link.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { shortRevision } from '../sources/source-url.ts'
import { followState, remedyFor } from './followed-words.ts'
import { mayFollow } from './may-follow.ts'
import { SourceVersion } from './source-version.tsx'

const FollowSource = lazy(() => import('./follow-source.tsx'))

/** The source that a stack follows, what it took last, and what is next; nothing without one. */
export function SourceLine({ stack }: { stack: string }) {
  const { value } = useResource('/stacks/{name}', { name: stack })
  const source = value.value?.source ?? null
  return source && <Followed key={stack} stack={stack} known={source} />
}

interface FollowedProps {
  stack: string
  /** How it follows, as it was read with the stack. */
  known: FollowedSource
}

function Followed({ stack, known }: FollowedProps) {
  const { value } = useFollowedSource(stack)
  const [open, setOpen] = useOverlay('source')
  const isStopping = useSignal(false)
  const sync = useAct(syncStack, {
    // The page says why it failed, or that it waits.
    ended: ({ last_error, is_waiting }) =>
      last_error || is_waiting ? undefined : t.followed.synced(stack),
    failed: t.followed.notSynced,
  })
  // The one that is polled may still be about the source before.
  const source = value.value?.bound_at === known.bound_at ? value.value : known
  const { synced, waiting, last_error: error } = source
  const { of, word } = followState(source)
  const stop = (isOpen: boolean) => () => {
    isStopping.value = isOpen
  }
  return (
    <Notices>
      <p>
        <State of={of} word={word} />
        {synced && <SourceVersion of={synced} />}
        {synced && (
          <span class="quiet-text">
            {t.followed.taken} <Time at={synced.synced_at} />
          </span>
        )}
        {!error && <NextLook at={source.next_look_at} />}
        {can('stacks:deploy') && (
          <Button
            icon={waiting ? Download : RefreshCw}
            busy={sync.pending.value && t.followed.syncing}
            onClick={() => void sync.run(stack)}
          >
            {waiting ? t.followed.take(shortRevision(waiting.revision)) : t.followed.sync}
          </Button>
        )}
        {mayFollow() && (
          <Button icon={Pencil} onClick={() => setOpen('edit')}>
            {t.followed.change}
          </Button>
        )}
        {can('stacks:update') && (
          <Button icon={Unlink} onClick={stop(true)}>
            {t.followed.stop}
          </Button>
        )}
      </p>
      {waiting && (
        <p>
          <State of="attention" word={t.followed.waits} />
          <SourceVersion of={waiting} />
        </p>
      )}
      {error && <Failure stack={stack} of={error} />}
      {open !== '' && mayFollow() && (
        <Loading>
          <FollowSource stack={{ name: stack, source }} onClose={() => setOpen('')} />
        </Loading>
      )}
      {isStopping.value && (
        <StopFollowing stack={stack} source={source.source} onClose={stop(false)} />
      )}
    </Notices>
  )
}

/** When the source is asked next for what it has. */
function NextLook({ at }: { at: string | null }) {
  return (
    <span class="quiet-text">
      {at === null ? (
        t.followed.byHand
      ) : (
        <>
          {t.followed.nextLook} <Time at={at} mayBeAhead />
        </>
      )}
    </span>
  )
}

interface FailureProps {
  stack: string
  of: NonNullable<FollowedSource['last_error']>
}

/** Why a stack does not follow its source, what to do about it, and when it is tried again. */
function Failure({ stack, of: { reason, message, next_at, deployment_id } }: FailureProps) {
  const remedy = remedyFor(reason)
  return (
    <p>
      <span class="stack-error">{message}</span>
      {remedy && <span>{t.followed.remedies[remedy]}</span>}
      {remedy === 'drift' && (
        <Link href={`/stacks/${encodeURIComponent(stack)}/drift`}>{t.stack.drift}</Link>
      )}
      {deployment_id !== null && (
        <Link href={`/stacks/${encodeURIComponent(stack)}/deployments/${deployment_id}`}>
          {t.followed.deployment}
        </Link>
      )}
      {remedy === 'look' && can('registries:manage') && (
        <Link href="/sources">{t.frame.sources}</Link>
      )}
      {next_at !== null && (
        <span class="quiet-text">
          {t.followed.again} <Time at={next_at} mayBeAhead />
        </span>
      )}
    </p>
  )
}

interface StopFollowingProps {
  stack: string
  source: string
  onClose: () => void
}

/** Asks before a stack follows no source any more. */
function StopFollowing({ stack, source, onClose }: StopFollowingProps) {
  const stop = useAct(stopFollowing, {
    ended: () => t.followed.stopped(stack),
    failed: t.followed.notStopped,
  })
  return (
    <Confirm
      title={t.followed.stopAsk(source)}
      action={t.followed.stopNow}
      kind="primary"
      lost={t.followed.lost}
      stays={t.followed.stays}
      busy={stop.pending.value && t.followed.stopping}
      onConfirm={() => void stop.run(stack).then(onClose)}
      onClose={onClose}
    />
  )
}
