import { ErrorBoundary as Loading } from 'preact-iso/lazy'
import { session } from '../data/session.ts'
import { lazy } from '../frame/lazy.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { t } from '../text/text.ts'
import { ErrorBoundary } from './error-boundary.tsx'

const LoginForm = lazy(() => import('../screens/login/login-form.tsx'))

/** The login over a page whose session has ended. What was typed on the page stays. */
export function LoginAgain() {
  return (
    <Dialog
      title={t.frame.expired}
      actions={<Button onClick={() => void session.logOut()}>{t.frame.signOut}</Button>}
    >
      <div class="login-again">
        <p>{t.frame.expiredWhy}</p>
        <ErrorBoundary path="">
          <Loading>
            <LoginForm username={session.user.value?.username ?? ''} isOverPage />
          </Loading>
        </ErrorBoundary>
      </div>
    </Dialog>
  )
}
