type Rgb = readonly [number, number, number]

/**
 * The colour of a figure on a ground that lies between two colours: black or white, whichever is told apart better.
 * One of them always reaches the contrast of 4.5 that small text needs; the text colours of the dark theme do not.
 */
export function inkOn(from: string, to: string, share: number): '#000000' | '#ffffff' {
  const ground = mix(rgb(from), rgb(to), share)
  return contrast(ground, [0, 0, 0]) > contrast(ground, [255, 255, 255]) ? '#000000' : '#ffffff'
}

/** The contrast of two colours as WCAG 2 defines it, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

/** The parts of a colour written as `#rrggbb`, or as `#rgb`, to which the build shortens it where it can. */
export function rgb(hex: string): Rgb {
  const whole = hex.length === 4 ? [...hex].map((digit) => (digit === '#' ? digit : digit + digit)).join('') : hex
  const at = (start: number) => Number.parseInt(whole.slice(start, start + 2), 16)
  return [at(1), at(3), at(5)]
}

/** The colour that lies at a share of the way from one to another. */
export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2) => from[at] + (to[at] - from[at]) * share
  return [part(0), part(1), part(2)]
}

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}
