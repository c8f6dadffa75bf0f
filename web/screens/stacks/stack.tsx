import { Services } from '../stack/services.tsx'
import { StackPage } from '../stack/stack-page.tsx'

/** A stack: what its services do now. */
export default function Stack() {
  return <StackPage>{(stack) => <Services stack={stack} />}</StackPage>
}
