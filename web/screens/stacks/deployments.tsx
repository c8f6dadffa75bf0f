import { DeploymentList } from '../stack/deployment-list.tsx'
import { StackPage, useStackName } from '../stack/stack-page.tsx'

/** The history of a stack. */
export default function Deployments() {
  const name = useStackName()
  return <StackPage>{() => <DeploymentList name={name} />}</StackPage>
}
