import { expect, test } from 'vitest'
import { readCoordinates, toWgs84, type CoordinateSource } from './map-coordinates.ts'

// points that eviltransform and coordtransform publish: the same place by a map and by satellites
test.each<[string, CoordinateSource, [number, number], [number, number]]>([
  ['Shanghai', 'gcj02', [121.531541859215, 31.17530398364597], [121.5272106, 31.1774276]],
  ['Shenzhen', 'gcj02', [113.9171764808363, 22.540796131694766], [113.912316, 22.543847]],
  ['Beijing', 'gcj02', [116.38404722455657, 39.91334545536069], [116.377817, 39.911954]],
  ['Beijing, as another library has it', 'gcj02', [116.41024449916938, 39.91640428150164], [116.404, 39.915]],
  ['by satellites, which is kept', 'wgs84', [117.227239, 31.820587], [117.227239, 31.820587]],
  ['outside of China, where nothing is shifted', 'gcj02', [2.3522, 48.8566], [2.3522, 48.8566]],
])('%s: %s becomes WGS-84', (_, source, [lng, lat], [east, north]) => {
  const found = toWgs84(source, { lng, lat })
  // a metre is a hundred-thousandth of a degree
  expect(Math.abs(found.lng - east)).toBeLessThan(0.000_01)
  expect(Math.abs(found.lat - north)).toBeLessThan(0.000_01)
})

// 百度 shifts what is shifted already; points that coordtransform publishes
test.each<[[number, number], [number, number]]>([
  [
    [116.404, 39.915],
    [116.39762729119315, 39.90865673957631],
  ],
  [
    [116.41036949371029, 39.92133699351021],
    [116.404, 39.915],
  ],
])('%j by 百度 is the same place as %j by 高德', ([lng, lat], [east, north]) => {
  const [found, same] = [toWgs84('bd09', { lng, lat }), toWgs84('gcj02', { lng: east, lat: north })]
  expect(Math.abs(found.lng - same.lng)).toBeLessThan(0.000_01)
  expect(Math.abs(found.lat - same.lat)).toBeLessThan(0.000_01)
})

test.each([
  ['117.227239,31.820587', { lng: 117.227239, lat: 31.820587 }],
  [' 117.227239， 31.820587 ', { lng: 117.227239, lat: 31.820587 }],
  ['31.820587, 117.227239', { lng: 117.227239, lat: 31.820587 }],
  ['经度 117.2 纬度 31.8', { lng: 117.2, lat: 31.8 }],
  ['117.227239', undefined],
  ['1,2,3', undefined],
  ['大礼堂', undefined],
  ['217.2,31.8', undefined],
])('%j is read as %j', (text, found) => expect(readCoordinates(text)).toEqual(found))
