import { Overview } from '../stack/overview.tsx'
import { StackPage } from '../stack/stack-page.tsx'

/** A stack: what its services do now, and what changed last. */
export default function Stack() {
  return <StackPage>{(stack) => <Overview stack={stack} />}</StackPage>
}
