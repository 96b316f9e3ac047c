import{k as d,x as n}from"./index-C1VgLz9d.js";function c(e){const[s,t]=d("");return n(()=>{if(!e)return;const r=URL.createObjectURL(e);return t(r),()=>URL.revokeObjectURL(r)},[e]),s}export{c as u};
