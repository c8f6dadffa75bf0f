import './gate.css'
import { ErrorBoundary as Loading } from 'preact-iso/lazy'
import { session } from '../data/session.ts'
import { lazy } from '../frame/lazy.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import { State } from '../parts/state.tsx'
import { t } from '../text/text.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Shell } from './shell.tsx'

const Login = lazy(() => import('../screens/login.tsx'))
const Setup = lazy(() => import('../screens/setup.tsx'))

/**
 * Shows what the reader can do now: the set-up of a new service, the login, or the whole UI. The
 * address stays, so that a login leads to the page that was asked for.
 */
export function Gate() {
  const state = session.state.value
  if (state === 'signed-in') return <Shell />
  if (state === 'unknown') return <Opening />
  return (
    <ErrorBoundary path={state}>
      <Loading>{state === 'setup' ? <Setup /> : <Login />}</Loading>
    </ErrorBoundary>
  )
}

/** Before the service has said who the reader is. */
function Opening() {
  return (
    <main class="gate">
      <h1 class="hidden-text">{t.product}</h1>
      {session.trouble.value === undefined ? (
        <Skeleton what={t.parts.theServer} rows={0} />
      ) : (
        <p role="alert">
          <State of="attention" word={t.frame.noService} />
        </p>
      )}
    </main>
  )
}
