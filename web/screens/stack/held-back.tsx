import { useSignal } from '@preact/signals'
import { serviceTime } from '../../data/clock.ts'
import { can } from '../../data/session.ts'
import { allowImage, type HeldBackImage, useHeldBack } from '../../data/update-policy.ts'
import { useAct } from '../../data/use-act.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { shortDigest } from './short-digest.ts'

/** Older ones are behind a button. */
const shownMax = 2

/** The updates of a stack that were bad: what, when and why, and what is held back. */
export function HeldBack({ stack }: { stack: string }) {
  const { value } = useHeldBack(stack)
  const asked = useSignal<HeldBackImage | undefined>(undefined)
  const isWhole = useSignal(false)
  const all = (value.value ?? []).toSorted((one, other) => other.at.localeCompare(one.at))
  const shown = isWhole.value ? all : all.slice(0, shownMax)
  if (all.length === 0) return null
  return (
    <Panel title={t.heldBack.title}>
      <div class="held-back">
        {shown.map((image) => (
          <Account
            key={image.digest}
            stack={stack}
            of={image}
            onAllow={() => {
              asked.value = image
            }}
          />
        ))}
        {all.length > shown.length && (
          <p>
            <Button
              onClick={() => {
                isWhole.value = true
              }}
            >
              {t.heldBack.more(all.length - shown.length)}
            </Button>
          </p>
        )}
      </div>
      {asked.value && (
        <AllowAgain
          stack={stack}
          of={asked.value}
          onClose={() => {
            asked.value = undefined
          }}
        />
      )}
    </Panel>
  )
}

/** Returns the name as compose files mostly have it, with the digest. */
const nameOf = ({ image, digest }: HeldBackImage) =>
  t.updatePolicy.image(image.replace(/^docker\.io\/(library\/)?/, ''), shortDigest(digest))

const day = 86_400_000

interface AccountProps {
  stack: string
  of: HeldBackImage
  onAllow: () => void
}

/** What an update deployed, why that was bad, and the end of the log. */
function Account({ stack, of, onAllow }: AccountProps) {
  const { service, reason, at, before, digest, log, deployment_id: id } = of
  return (
    <section class="held-back-one">
      <p class="held-back-head">
        <State of="failed" word={t.heldBack.bad(service, reason)} />
        <Time at={at} />
        <Link href={`/stacks/${encodeURIComponent(stack)}/deployments/${id}`}>
          {t.heldBack.show}
        </Link>
        {can('stacks:deploy') && <Button onClick={onAllow}>{t.heldBack.allow}</Button>}
      </p>
      <p>
        <span title={digest}>{t.heldBack.account(nameOf(of), shortDigest(before))}</span>{' '}
        {t.heldBack.held}
      </p>
      {log.length === 0 ? (
        <p class="quiet-text">{t.heldBack.noLog}</p>
      ) : (
        <details open={serviceTime() - Date.parse(at) < day}>
          <summary>{t.heldBack.log(service)}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
          <pre class="held-back-log" tabIndex={0}>
            {log.join('\n')}
          </pre>
        </details>
      )}
    </section>
  )
}

interface AllowAgainProps {
  stack: string
  of: HeldBackImage
  onClose: () => void
}

/** Asks before updates may apply an image again that was bad. */
function AllowAgain({ stack, of, onClose }: AllowAgainProps) {
  const allow = useAct(allowImage, {
    ended: () => t.heldBack.allowed(nameOf(of)),
    failed: t.heldBack.notAllowed,
  })
  return (
    <Confirm
      title={t.heldBack.ask(nameOf(of))}
      action={t.heldBack.confirm}
      kind="primary"
      busy={allow.pending.value && t.heldBack.allowing}
      onConfirm={() => void allow.run(stack, of.digest).then(onClose)}
      onClose={onClose}
    >
      <p>{t.heldBack.askText}</p>
    </Confirm>
  )
}
