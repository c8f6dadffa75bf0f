import { DriftView } from '../stack/drift-view.tsx'
import { StackPage } from '../stack/stack-page.tsx'

/** What was edited on the host since the last deploy. */
export default function Drift() {
  return <StackPage>{(stack) => <DriftView stack={stack} />}</StackPage>
}
