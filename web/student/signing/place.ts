import { localStore } from '../../core/service/storage.ts'

const consentKey = 'placeConsent'

/** Whether the person has agreed on this browser that their place is read when they sign in where the place counts. */
export const hasPlaceConsent = (suId: string): boolean => localStore.get<string>(consentKey) === suId

export const keepPlaceConsent = (suId: string): void => localStore.set(consentKey, suId)

/** Ten metres are as exact as anybody needs to know. */
const coarse = (degrees: number): number => Math.round(degrees * 10_000) / 10_000

/** Where the phone is, to about ten metres; undefined where it may not be told or is not known. */
export const whereAmI = (): Promise<{ lng: number; lat: number } | undefined> =>
  new Promise((resolve) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lng: coarse(coords.longitude), lat: coarse(coords.latitude) }),
      () => resolve(undefined),
      { timeout: 10_000, maximumAge: 60_000 },
    ),
  )
