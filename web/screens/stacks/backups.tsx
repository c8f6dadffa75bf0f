import { StackBackups } from '../stack/stack-backups.tsx'
import { StackPage } from '../stack/stack-page.tsx'

/** Which jobs back up a stack, and how their last runs ended. */
export default function Backups() {
  return <StackPage>{({ name }) => <StackBackups name={name} />}</StackPage>
}
