import { render } from 'preact'
import { loadAgain } from './browser/load-again.ts'
import { setNotifier } from './data/act.ts'
import { followEvents } from './data/events.ts'
import { ownPath } from './data/own-path.ts'
import { nextStepOf } from './data/problem.ts'
import { session } from './data/session.ts'
import { toast } from './parts/toast.tsx'
import { preloadScreen } from './routes.ts'
import { App } from './shell/app.tsx'
import { preferredLanguage, screenTexts } from './text/text.ts'

const place = document.getElementById('app')
if (!place) throw new Error('the page has no place for the app')
setNotifier({
  ended: (line) => void toast('running', line),
  failed: (line, problem, retry) =>
    void toast('failed', `${line}: ${problem.error}`, { nextStep: nextStepOf(problem), retry }),
})
// Addresses of screens have one slash at the beginning and none at the end, but people type others.
const { pathname, search, hash } = location
const path = ownPath(pathname.replace(/\/+$/, ''))
if (path !== pathname) history.replaceState(null, '', path + search + hash)
void session.start()
preloadScreen(location.pathname)
followEvents()
// The frame is there in English, and need not wait for the texts of the screens. Without those of
// another language it says in English that a part of the page is missing.
if (preferredLanguage() !== 'en') await screenTexts().catch((error) => console.error(error))
render(<App />, place)
// The mark on its icon can wait for the page.
loadAgain(() => import('./shell/page-icon.tsx'))
  .then(({ followTroubles }) => followTroubles())
  .catch((error) => console.error(error))
