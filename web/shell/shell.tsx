import './shell.css'
import { useEffect } from 'preact/hooks'
import { Route, Router, useLocation } from 'preact-iso/router'
import { connection } from '../data/events.ts'
import { isPagePath } from '../data/own-path.ts'
import { allowsAny } from '../data/permissions.ts'
import { can, session } from '../data/session.ts'
import { setNavigator } from '../frame/address.ts'
import { ConnectionBar } from '../frame/connection-bar.tsx'
import { OtherVersion } from '../frame/other-version.tsx'
import { usePalette } from '../frame/palette-state.ts'
import { Toasts } from '../parts/toast.tsx'
import { type RouteLine, routes } from '../routes.ts'
import { t } from '../text/text.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { frameEntries } from './frame-entries.ts'
import { everywhere, useGlobalKeys } from './global-keys.ts'
import { LoginAgain } from './login-again.tsx'
import { MissingPermission } from './missing-permission.tsx'
import { NotFound } from './not-found.tsx'
import { Palette } from './palette.tsx'
import { BottomBar, Rail } from './rail.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'

/** The frame around every screen of a reader who is signed in. */
export function Shell() {
  const { path, route } = useLocation()
  useEffect(() => setNavigator(route), [route])
  useGlobalKeys()
  usePalette(frameEntries)
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {t.frame.skip}
      </a>
      <Rail />
      <main id="content">
        <Connection />
        <OtherVersion />
        <ErrorBoundary path={path}>
          <Router>
            {[
              ...(isPagePath(path) ? routes : []).map((line) => (
                <Route key={line.path} path={line.path} component={screenFor(line)} />
              )),
              <Route key="default" default component={NotFound} />,
            ]}
          </Router>
        </ErrorBoundary>
      </main>
      <BottomBar />
      <Toasts />
      <Palette />
      <ShortcutHelp everywhere={everywhere()} />
      {session.isExpired.value && <LoginAgain />}
    </div>
  )
}

const screenFor = ({ screen, permission }: RouteLine) =>
  permission === undefined || allowsAny(permission, can) ? screen : MissingPermission

function Connection() {
  const { state, since } = connection.value
  return state === 'live' ? null : <ConnectionBar state={state} since={since} />
}
