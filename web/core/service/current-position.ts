/** Ten metres are as exact as anybody needs to know. */
const coarse = (degrees: number): number => Math.round(degrees * 10_000) / 10_000

/**
 * Where this device is, to about ten metres, in WGS-84; undefined where it may not be told or is not known. What the
 * network knows may be a street away: it is asked only where the satellites are not seen, as deep in a building.
 */
export async function currentPosition(): Promise<Coordinates | undefined> {
  // over plain http a browser may know no place at all
  if (!('geolocation' in navigator)) return undefined
  const exact = await positionOf(true)
  return exact === 'unknown' ? known(await positionOf(false)) : known(exact)
}

interface Coordinates {
  lng: number
  lat: number
}
type Found = Coordinates | 'unknown' | 'refused'

const known = (found: Found) => (typeof found === 'string' ? undefined : found)

const positionOf = (enableHighAccuracy: boolean): Promise<Found> =>
  new Promise((resolve) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lng: coarse(coords.longitude), lat: coarse(coords.latitude) }),
      ({ code, PERMISSION_DENIED }) => resolve(code === PERMISSION_DENIED ? 'refused' : 'unknown'),
      { enableHighAccuracy, timeout: 10_000, maximumAge: 60_000 },
    ),
  )
