import './backups.css'
import { useSignal } from '@preact/signals'
import { Trash2 } from 'lucide'
import { type BackupRun, removeRun, verifyRun } from '../../data/backups.ts'
import { can } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { Detail } from '../../frame/detail.tsx'
import { Button } from '../../parts/button.tsx'
import { Bytes } from '../../parts/bytes.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { formatBytes } from '../../parts/format-bytes.ts'
import { Lines } from '../../parts/lines.tsx'
import { Meter } from '../../parts/meter.tsx'
import { Facts } from '../../parts/panel.tsx'
import { Problem } from '../../parts/problem.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { RunState } from './run-state.tsx'
import { RunWarnings } from './run-warnings.tsx'

interface RunDetailProps {
  run: BackupRun
  onRestore: () => void
  onClose: () => void
}

/** One run: its progress, what it contains, verify and restore. */
export function RunDetail({ run, onRestore, onClose }: RunDetailProps) {
  const { kind, job_name, status, error, warnings } = run
  const isRemoving = useSignal(false)
  const askRemoval = (asks: boolean) => () => {
    isRemoving.value = asks
  }
  return (
    <Detail
      title={`${t.backups.runKinds[kind]} ${job_name}`}
      state={<RunState of={status} warnings={warnings} />}
      onClose={onClose}
    >
      {error && <Problem title={t.backups.runFailed} error={error} />}
      {status === 'running' && <Progress of={run.progress} />}
      <RunWarnings of={warnings} />
      <RunFacts run={run} />
      <Contents run={run} />
      {status !== 'running' && can('backups:manage') && (
        <Actions run={run} onRestore={onRestore} onRemove={askRemoval(true)} />
      )}
      {isRemoving.value && <RemoveRun run={run} onClose={askRemoval(false)} onRemoved={onClose} />}
    </Detail>
  )
}

function Progress({ of: { part, done, parts, bytes } }: { of: BackupRun['progress'] }) {
  return (
    <Meter
      label={part ?? t.backups.preparing}
      value={done / Math.max(parts, 1)}
      attention={2}
      critical={2}
    >
      {t.backups.progress(done, parts)} · {formatBytes(bytes)}
    </Meter>
  )
}

const RunFacts = ({ run }: { run: BackupRun }) => (
  <Facts
    of={[
      [t.backups.started, <Time key="started" at={run.started_at} />],
      run.finished_at !== null && [
        t.backups.finished,
        <Time key="finished" at={run.finished_at} />,
      ],
      [t.backups.by, run.by === 'schedule' ? t.backups.bySchedule : run.by],
      [t.images.size, <Bytes key="size" of={run.size} />],
      [t.backups.location, <code key="location">{run.location}</code>],
      [t.backups.encryption, run.encrypted ? t.backups.encrypted : t.backups.notEncrypted],
    ]}
  />
)

function Contents({ run: { contents } }: { run: BackupRun }) {
  if (contents.length === 0) return null
  return (
    <section>
      <h3>{t.backups.contents}</h3>
      <Lines
        of={contents.map(({ name, kind, source, bytes, files }) => (
          <span key={name}>
            {t.backups.content(kind, source)}{' '}
            <span class="quiet-text">{t.backups.filesAndSize(files, formatBytes(bytes))}</span>
          </span>
        ))}
      />
    </section>
  )
}

interface ActionsProps extends Omit<RunDetailProps, 'onClose'> {
  onRemove: () => void
}

function Actions({ run: { id, kind, status, contents }, onRestore, onRemove }: ActionsProps) {
  const isWhole = kind === 'backup' && status === 'succeeded'
  const verify = useAct(verifyRun, { failed: t.backups.notVerified })
  const verdict = verify.result.value
  const isSystemOnly = contents.every(({ kind }) => kind === 'system')
  return (
    <section class="run-actions">
      <div class="buttons">
        {isWhole && (
          <Button
            busy={verify.pending.value && t.backups.verifying}
            onClick={() => void verify.run(id)}
          >
            {t.backups.verify}
          </Button>
        )}
        {isWhole && (
          <Button
            kind="primary"
            onClick={onRestore}
            blocked={isSystemOnly ? t.backups.systemOnly : undefined}
          >
            {t.backups.restore}
          </Button>
        )}
        <Button kind="quiet" icon={Trash2} onClick={onRemove}>
          {t.backups.removeRun[kind]}
        </Button>
      </div>
      <div role="status">
        {verdict && (
          <State
            of={verdict.ok ? 'running' : 'failed'}
            word={
              verdict.ok
                ? t.backups.intact(verdict.files, formatBytes(verdict.bytes))
                : t.backups.damaged
            }
          />
        )}
        {verdict && <Lines of={verdict.problems} />}
      </div>
    </section>
  )
}

interface RemoveRunProps {
  run: BackupRun
  onClose: () => void
  onRemoved: () => void
}

function RemoveRun({ run: { id, kind, location }, onClose, onRemoved }: RemoveRunProps) {
  const remove = useAct(removeRun, {
    ended: () => t.backups.removedRun[kind],
    failed: t.backups.notRemovedRun[kind],
    tellsProblem: false,
  })
  const submit = async () => {
    await remove.run(id)
    if (!remove.problem.value) onRemoved()
  }
  return (
    <Confirm
      title={t.backups.removeRunAsk[kind]}
      action={t.backups.removeRun[kind]}
      lost={kind === 'backup' ? t.backups.backupLost(location) : t.backups.restoreRunLost}
      stays={kind === 'backup' ? t.backups.backupStays : t.backups.restoreRunStays}
      busy={remove.pending.value && t.backups.removingRun}
      onConfirm={() => void submit()}
      onClose={onClose}
    >
      {remove.problem.value && (
        <Problem title={t.backups.notRemovedRun[kind]} {...remove.problem.value} />
      )}
    </Confirm>
  )
}
