import { LocationProvider } from 'preact-iso/router'
import { language } from '../text/text.ts'
import { Gate } from './gate.tsx'

/** The whole UI. Another language renders all of it again, because texts are no signals. */
export function App() {
  return (
    <LocationProvider scope={/^\/(?!api\/)/}>
      <Gate key={language.value} />
    </LocationProvider>
  )
}
