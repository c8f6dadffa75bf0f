import { verifyAudit } from '../../data/audit.ts'
import { useAct } from '../../data/use-act.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Lines } from '../../parts/lines.tsx'
import { State } from '../../parts/state.tsx'
import { t } from '../../text/text.ts'

/** Verifies the chain of the audit log, and shows the result. */
export function Verify() {
  const verify = useAct(verifyAudit, { failed: t.audit.notVerified })
  const verdict = verify.result.value
  return (
    <>
      <Button busy={verify.pending.value && t.audit.verifying} onClick={() => void verify.run()}>
        {t.audit.verify}
      </Button>
      {verdict && (
        <Dialog
          title={t.audit.verify}
          onClose={verify.reset}
          actions={<Button onClick={verify.reset}>{t.parts.close}</Button>}
        >
          <p>
            <State
              of={verdict.ok ? 'running' : 'failed'}
              word={verdict.ok ? t.audit.intact(verdict.rows) : t.audit.damaged}
            />
          </p>
          <Lines
            of={verdict.problems.map(({ kind, from, to }) =>
              t.audit.problem(t.audit.problems[kind], from, to),
            )}
          />
          {verdict.head && (
            <p class="audit-head">
              {t.audit.head(verdict.head.sequence)} <code>{verdict.head.mac}</code>
            </p>
          )}
        </Dialog>
      )}
    </>
  )
}
