import { localStore } from '../../core/service/storage.ts'

const consentKey = 'placeConsent'

/** Whether the person has agreed on this browser that their place is read when they sign in where the place counts. */
export const hasPlaceConsent = (suId: string): boolean => localStore.get<string>(consentKey) === suId

export const keepPlaceConsent = (suId: string): void => localStore.set(consentKey, suId)
