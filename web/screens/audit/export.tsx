import { useSignal } from '@preact/signals'
import { exportAudit, trimAudit } from '../../data/audit.ts'
import { serviceTime } from '../../data/clock.ts'
import { can } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { Select } from '../../parts/select.tsx'
import { t } from '../../text/text.ts'

const day = 86_400_000
const ages = ['0', '30', '90', '365']

/** Saves rows of the audit log as a file, and removes those that were saved. */
export function ExportAudit() {
  const isAsking = useSignal(false)
  const age = useSignal('0')
  const read = useAct(
    async (days: number) => {
      const before = new Date(serviceTime() - days * day)
      const exported = await exportAudit(before)
      if (exported.rows > 0)
        saveFile(`audit-${before.toISOString().slice(0, 10)}.jsonl`, exported.content)
      return exported
    },
    {
      ended: ({ rows }) => t.audit.exported(rows),
      failed: t.audit.notExported,
      tellsProblem: false,
    },
  )
  const close = () => {
    isAsking.value = false
    read.reset()
  }
  const { rows, last } = read.result.value ?? {}
  const submit = async () => {
    const done = await read.run(Number(age.value))
    if (done && (!done.last || !can('audit:manage'))) close()
  }
  return (
    <>
      <Button
        onClick={() => {
          isAsking.value = true
        }}
      >
        {t.audit.export}
      </Button>
      {isAsking.value && !last && (
        <FormDialog
          title={t.audit.export}
          action={t.audit.export}
          busy={read.pending.value && t.audit.exporting}
          failed={t.audit.notExported}
          problem={read.problem.value}
          onSubmit={() => void submit()}
          onClose={close}
        >
          <p>{t.audit.exportWhat}</p>
          <Select
            label={t.audit.exportRows}
            value={age.value}
            options={ages.map((value) => ({ value, label: t.audit.olderThan(Number(value)) }))}
            onChange={(value) => {
              age.value = value
            }}
          />
        </FormDialog>
      )}
      {isAsking.value && last && <TrimAudit rows={rows ?? 0} last={last} onClose={close} />}
    </>
  )
}

interface TrimProps {
  rows: number
  last: Parameters<typeof trimAudit>[0]
  onClose: () => void
}

/** Asks whether the rows that were saved are removed from the service. */
function TrimAudit({ rows, last, onClose }: TrimProps) {
  const trim = useAct(trimAudit, {
    ended: (removed) => t.audit.trimmed(removed),
    failed: t.audit.notTrimmed,
  })
  return (
    <Confirm
      title={t.audit.trimAsk}
      action={t.audit.trim(rows)}
      lost={t.audit.trimLost(rows)}
      stays={t.audit.trimStays}
      busy={trim.pending.value && t.audit.trimming}
      onClose={onClose}
      onConfirm={() => void trim.run(last).then(onClose)}
    />
  )
}
