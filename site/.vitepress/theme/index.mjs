// Without fonts: the site loads nothing from other hosts, and no font of its own.
export { default } from 'vitepress/theme-without-fonts';
import './style.css';
