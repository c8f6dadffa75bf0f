import { useRoute } from 'preact-iso/router'
import { DeploymentView } from '../stack/deployment-view.tsx'
import { StackPage } from '../stack/stack-page.tsx'

/** A deployment, live while it runs. */
export default function DeploymentPage() {
  const { id = '' } = useRoute().params
  return <StackPage>{(stack) => <DeploymentView key={id} stack={stack} id={id} />}</StackPage>
}
