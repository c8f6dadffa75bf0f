import type { HostName } from '../../../../host-ids.ts'
import { t } from '../../../../text/text.ts'

interface Named {
  name: string
  host_name: HostName
}

/** Returns what the button of a project says, with its host if another host has one too. */
export const adoptLabel = ({ name, host_name }: Named, projects: readonly Named[]): string =>
  projects.some((other) => other.name === name && other.host_name !== host_name)
    ? t.newStack.adoptOn(name, host_name)
    : t.newStack.adoptOne(name)
