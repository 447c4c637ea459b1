/** A place in a text that is filled in for each receiver: `{姓名}`. */
const place = /\{([^{}\n]{1,20})\}/g

/** What stands in braces in a text and is no place of it. */
export const unknownPlaces = (places: readonly string[], text: string): string[] =>
  [...text.matchAll(place)].map(([, name]) => name!).filter((name) => !places.includes(name))

/** The sentence that refuses a place that there is not. */
export const unknownPlaceText = (name: string): string => `没有“{${name}}”，请从可用的占位中选择`

/** Which places there are, as a form tells it below the field. */
export const placesText = (places: readonly string[]): string => `可用：${places.map((name) => `{${name}}`).join(' ')}`

/** Fills the places of a text; what is no place stays as it is. */
export const fillPlaces = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(place, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole))
