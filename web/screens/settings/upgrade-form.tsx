import { useSignal } from '@preact/signals'
import {
  checkUpgrade,
  type Operation,
  type ServiceUpgrade,
  startUpgrade,
  type UpgradeCheck,
} from '../../data/service-upgrade.ts'
import { can } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useReadable } from '../../data/use-readable.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { TextField } from '../../parts/field.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Select } from '../../parts/select.tsx'
import { State, type StateName } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

/** A new version that was judged, by the name that was typed. */
interface Judged {
  target: string
  found: UpgradeCheck
}

interface UpgradeFormProps {
  current: ServiceUpgrade
  onStarted: (operation: Operation) => void
}

/** Judges a new version, and upgrades the service to it. */
export function UpgradeForm({ current, onStarted }: UpgradeFormProps) {
  const typed = useSignal('')
  const judged = useSignal<Judged | undefined>(undefined)
  const check = useAct(checkUpgrade, { failed: t.upgrade.notChecked, tellsProblem: false })
  const problem = check.problem.value
  const submit = async (event: Event) => {
    event.preventDefault()
    judged.value = undefined
    const target = typed.value.trim()
    const found = await check.run(target)
    // It may be another one by now.
    if (found && typed.value.trim() === target) judged.value = { target, found }
  }
  return (
    <>
      <form class="upgrade-check" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t.upgrade.target}
          help={t.upgrade.targetHelp(current.container?.image ?? '')}
          value={typed.value}
          onInput={(text) => {
            typed.value = text
            judged.value = undefined
            check.reset()
          }}
          placeholder={current.container?.image ?? ''}
          autocomplete="off"
          isCode
        />
        <Button type="submit" busy={check.pending.value && t.upgrade.checking}>
          {t.upgrade.check}
        </Button>
      </form>
      {problem && <Problem title={t.upgrade.notChecked} {...problem} />}
      <div role="status">{judged.value && <Result of={judged.value.found} />}</div>
      {judged.value && <Verdict {...judged.value} current={current} onStarted={onStarted} />}
    </>
  )
}

const nameOf = ({ version, image }: UpgradeCheck) => version ?? image ?? t.upgrade.newImage

function Result({ of }: { of: UpgradeCheck }) {
  return <State of={resultStates[of.result]} word={t.upgrade.results[of.result](nameOf(of))} />
}

/** What was found about a new version, and the next step. */
function Verdict({ target, found, current, onStarted }: Judged & UpgradeFormProps) {
  const isAsked = useSignal(false)
  const { result, findings, image_id: imageId } = found
  const to = nameOf(found)
  return (
    <div class="upgrade-verdict">
      {findings.length > 0 && (
        <ul>
          {findings.map(({ kind, reason, message }) => (
            <li key={reason}>
              <State of={findingStates[kind]} word={t.upgrade.findings[kind]} />
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
      {result === 'one_way' && (
        <p>{t.upgrade.byHand(current.guide, current.container?.compose_directory ?? null)}</p>
      )}
      {result === 'allowed' && !can('stacks:privileged') && <p>{t.upgrade.needsPrivileged}</p>}
      {result === 'allowed' && imageId !== null && can('stacks:privileged') && (
        <>
          <p>{t.upgrade.what}</p>
          <div>
            <Button
              kind="primary"
              onClick={() => {
                isAsked.value = true
              }}
            >
              {t.upgrade.upgrade(to)}
            </Button>
          </div>
          {isAsked.value && (
            <Ask
              target={target}
              to={to}
              imageId={imageId}
              onStarted={onStarted}
              onClose={() => {
                isAsked.value = false
              }}
            />
          )}
        </>
      )}
    </div>
  )
}

const resultStates = {
  allowed: 'running',
  one_way: 'attention',
  refused: 'failed',
  current: 'stopped',
} as const satisfies Record<UpgradeCheck['result'], StateName>

const findingStates = {
  refused: 'failed',
  one_way: 'attention',
  note: 'unknown',
} as const satisfies Record<UpgradeCheck['findings'][number]['kind'], StateName>

interface AskProps {
  target: string
  /** The new version, in words. */
  to: string
  imageId: string
  onStarted: (operation: Operation) => void
  onClose: () => void
}

function Ask({ target, to, imageId, onStarted, onClose }: AskProps) {
  const withoutBackup = useSignal(false)
  const job = useSignal('')
  const start = useAct(startUpgrade, { failed: t.upgrade.notStarted, tellsProblem: false })
  const problem = start.problem.value
  const submit = async () => {
    const chosen = withoutBackup.value || job.value === '' ? {} : { backup_job: job.value }
    const choices = { image_id: imageId, without_backup: withoutBackup.value, ...chosen }
    const operation = await start.run(target, choices)
    if (operation) onStarted(operation)
  }
  return (
    <Confirm
      title={t.upgrade.ask(to)}
      action={t.upgrade.upgrade(to)}
      kind="primary"
      busy={start.pending.value && t.upgrade.starting}
      onConfirm={() => void submit()}
      onClose={onClose}
    >
      {problem && <Problem title={t.upgrade.notStarted} {...problem} />}
      <p>{t.upgrade.askText}</p>
      {!withoutBackup.value && (
        <JobChoice
          job={job.value}
          onChange={(id) => {
            job.value = id
          }}
        />
      )}
      <Checkbox
        label={t.upgrade.withoutBackup}
        help={t.upgrade.withoutBackupHelp}
        checked={withoutBackup.value}
        onChange={(checked) => {
          withoutBackup.value = checked
        }}
      />
    </Confirm>
  )
}

interface JobChoiceProps {
  /** The ID of the chosen job; empty: the one that ran last. */
  job: string
  onChange: (job: string) => void
}

/** The backup job that runs before: chosen among several, or named if there is one. */
function JobChoice({ job, onChange }: JobChoiceProps) {
  const { value } = useReadable('backups:read', '/backup-jobs')
  const jobs = value?.filter(({ sources }) => sources.some(({ kind }) => kind === 'system'))
  const [only, ...others] = jobs ?? []
  if (!jobs) return null
  if (!only) return <p>{t.upgrade.noJob}</p>
  if (others.length === 0) return <p>{t.upgrade.oneJob(only.name)}</p>
  return (
    <Select
      label={t.upgrade.job}
      value={job}
      options={[
        { value: '', label: t.upgrade.lastJob },
        ...jobs.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={onChange}
    />
  )
}
