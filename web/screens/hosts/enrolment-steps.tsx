import './enrolment-steps.css'
import type { components } from '../../data/api.types.ts'
import { useResource } from '../../data/cache.ts'
import type { Host } from '../../data/hosts.ts'
import { Button } from '../../parts/button.tsx'
import { CommandLine } from '../../parts/command-line.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { LinkButton } from '../../parts/link.tsx'
import { State } from '../../parts/state.tsx'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'

interface EnrolmentStepsProps {
  host: Host
  enrolment: components['schemas']['Enrolment']
  onClose: () => void
}

/** The line to run on a new host, shown once, and the arrival of the host as it happens. */
export function EnrolmentSteps({ host, enrolment, onClose }: EnrolmentStepsProps) {
  const { value } = useResource('/hosts')
  const now = value.value?.find(({ id }) => id === host.id) ?? host
  const hasArrived = now.status === 'online'
  const { command, program_command, container_command, expires_at, problem, warning } = enrolment
  const actions = hasArrived ? (
    <LinkButton href={`/hosts/${host.id}`} kind="primary">
      {t.hosts.open(host.name)}
    </LinkButton>
  ) : (
    <Button onClick={onClose}>{t.parts.close}</Button>
  )
  return (
    <Dialog
      title={t.hosts.enrolName(host.name)}
      size="medium"
      actions={actions}
      isShownOnce
      onClose={onClose}
    >
      {problem && <p class="enrol-problem">{problem}</p>}
      <p>{t.hosts.runThis(host.name)}</p>
      <CommandLine command={command} what={t.hosts.command} />
      <details>
        <summary>{t.hosts.withoutNode}</summary>
        <p>{t.hosts.withProgram}</p>
        <CommandLine command={program_command} what={t.hosts.command} />
        <p>{t.hosts.withImage}</p>
        <CommandLine command={container_command} what={t.hosts.command} />
      </details>
      <p class="quiet-text">
        {t.hosts.shownOnce} <Time at={expires_at} mayBeAhead />.
      </p>
      {warning && !problem && (
        <p>
          <State of="attention" word={warning} />
        </p>
      )}
      <p class="arrival" role="status">
        <State
          of={hasArrived ? 'running' : 'working'}
          word={hasArrived ? t.hosts.arrived(host.name) : t.hosts.waiting(host.name)}
        />
      </p>
    </Dialog>
  )
}
