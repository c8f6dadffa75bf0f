import { useQuery } from '../../frame/address.ts'
import { PlanView } from '../stack/plan-view.tsx'
import { StackPage } from '../stack/stack-page.tsx'

/** What a deploy of a stack would do, and the button that does it. */
export default function Deploy() {
  const [service] = useQuery('service')
  return (
    <StackPage isPlan>
      {(stack) => <PlanView key={service} stack={stack} service={service} />}
    </StackPage>
  )
}
