// Unpacks the viewer and hands it to the browser as a script of its own, which the page's policy knows by its hash: no
// text is ever evaluated.

import { decodeBase64 } from './decode';
import { inflate } from './inflate';

declare const SNUG_CODE_SIZE: number;

const packed = document.getElementById('snug-code')!;
const script = document.createElement('script');
script.textContent = new TextDecoder().decode(inflate(decodeBase64(packed.textContent!), SNUG_CODE_SIZE));
packed.remove();
document.body.append(script);
script.remove();
