/**
 * Maps of China do not show where something is by WGS-84, as satellites and phones have it: 高德 and 腾讯 use GCJ-02, which
 * lies some hundred metres off, 百度 BD-09, up to a kilometre. Places are kept in WGS-84 alone. Pure.
 */
export interface Coordinates {
  lng: number
  lat: number
}

/** Where coordinates were looked up. */
export type CoordinateSource = 'gcj02' | 'bd09' | 'wgs84'

/** Half the longest axis of the ellipsoid of Krasovsky in metres, and the square of its eccentricity. */
const [axis, eccentricity] = [6_378_245, 0.006_693_421_622_965_943]
const bdTurn = (Math.PI * 3000) / 180

/** Turns coordinates into WGS-84, to a tenth of a metre. */
export function toWgs84(source: CoordinateSource, of: Coordinates): Coordinates {
  if (source === 'wgs84') return of
  const gcj = source === 'bd09' ? bdToGcj(of) : of
  if (!isShifted(gcj)) return gcj
  // the shift is published one way alone; it changes so slowly that a few steps lead back
  let wgs = gcj
  for (let step = 0; step < 5; step++) {
    const { lng, lat } = wgsToGcj(wgs)
    wgs = { lng: wgs.lng + gcj.lng - lng, lat: wgs.lat + gcj.lat - lat }
  }
  return wgs
}

/** Reads `经度,纬度` as maps give it, with or without words around; undefined where there are not two numbers. */
export function readCoordinates(text: string): Coordinates | undefined {
  const [lng, lat, more] = [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map(([number]) => Number(number))
  if (lng === undefined || lat === undefined || more !== undefined) return undefined
  // some maps name the latitude first; in China no latitude is that great and no longitude that small
  const [east, north] = lat > 72 && lng < 72 ? [lat, lng] : [lng, lat]
  return Math.abs(east) <= 180 && Math.abs(north) <= 90 ? { lng: east, lat: north } : undefined
}

/** Outside of China the maps shift nothing. */
const isShifted = ({ lng, lat }: Coordinates): boolean =>
  lng >= 72.004 && lng <= 137.8347 && lat >= 0.8293 && lat <= 55.8271

function bdToGcj({ lng, lat }: Coordinates): Coordinates {
  const [x, y] = [lng - 0.0065, lat - 0.006]
  const distance = Math.hypot(x, y) - 0.000_02 * Math.sin(y * bdTurn)
  const angle = Math.atan2(y, x) - 0.000_003 * Math.cos(x * bdTurn)
  return { lng: distance * Math.cos(angle), lat: distance * Math.sin(angle) }
}

function wgsToGcj({ lng, lat }: Coordinates): Coordinates {
  const [x, y] = [lng - 105, lat - 35]
  const sine = (size: number, of: number) => size * Math.sin(of * Math.PI)
  const common = (sine(20, 6 * x) + sine(20, 2 * x)) * (2 / 3)
  const north =
    -100 +
    2 * x +
    3 * y +
    0.2 * y * y +
    0.1 * x * y +
    0.2 * Math.sqrt(Math.abs(x)) +
    common +
    (sine(20, y) + sine(40, y / 3) + sine(160, y / 12) + sine(320, y / 30)) * (2 / 3)
  const east =
    300 +
    x +
    2 * y +
    0.1 * x * x +
    0.1 * x * y +
    0.1 * Math.sqrt(Math.abs(x)) +
    common +
    (sine(20, x) + sine(40, x / 3) + sine(150, x / 12) + sine(300, x / 30)) * (2 / 3)
  const latitude = (lat / 180) * Math.PI
  const curve = 1 - eccentricity * Math.sin(latitude) ** 2
  return {
    lng: lng + (east * 180) / ((axis / Math.sqrt(curve)) * Math.cos(latitude) * Math.PI),
    lat: lat + (north * 180) / (((axis * (1 - eccentricity)) / curve ** 1.5) * Math.PI),
  }
}
